//! Flags, variables and the file: what they set, and the one sentence about what is wrong with them.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use tavola::pb::v1::{GetServerInfoRequest, Limits};

use crate::common::{DataFolder, Server, command, eventually, run, santorini};

/// What the server says instead of starting: one sentence, and exit code 2.
#[track_caller]
fn refusal(command: Command) -> String {
    let shown = format!("{command:?}");
    let output = run(command);
    let stderr = String::from_utf8(output.stderr).expect("it says it in UTF-8");
    assert_eq!(output.status.code(), Some(2), "{shown}: {stderr}");
    assert_eq!(output.stdout, b"", "{shown}");
    let sentence = stderr
        .strip_prefix("tavola: ")
        .and_then(|rest| rest.strip_suffix('\n'))
        .unwrap_or_else(|| panic!("{shown}: not one line of tavola: {stderr:?}"));
    assert!(!sentence.contains('\n'), "{shown}: {sentence:?}");
    assert!(
        sentence.len() > 10 && sentence.len() < 300,
        "{shown}: {sentence}"
    );
    for hint in [
        "Usage:", "--help", "tip:", "  ", "panicked", "Error {", "Os {",
    ] {
        assert!(!sentence.contains(hint), "{shown}: {sentence}");
    }
    sentence.to_owned()
}

/// A file of its own for each test.
fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("command_line-{name}"));
    fs::write(&path, text).expect("the folder for tests can be written");
    path
}

async fn limits(server: &Server) -> Limits {
    let info = server
        .catalog()
        .await
        .get_server_info(GetServerInfoRequest {})
        .await
        .unwrap()
        .into_inner();
    info.limits.unwrap()
}

// === what is wrong

#[test]
fn a_wrong_flag_is_one_sentence_that_names_it() {
    for (flags, named) in [
        (&["--nope"][..], &["--nope"][..]),
        (&["--lisen", "127.0.0.1:0"], &["--lisen", "--listen"]),
        (&["-x"], &["-x"]),
        (&["play"], &["play"]),
        (&["serve", "serve"], &["serve"]),
        (&["serve", "--nope"], &["--nope"]),
        (&["--listen"], &["--listen"]),
        (&["--listen", "here"], &["--listen", "here"]),
        (&["--listen", "127.0.0.1"], &["--listen", "127.0.0.1"]),
        (&["--listen", "127.0.0.1:70000"], &["--listen", "70000"]),
        (&["--listen", ""], &["--listen"]),
        (&["--store", "paper"], &["--store", "paper", "memory"]),
        (
            &["--log-format", "yaml"],
            &["--log-format", "yaml", "text", "json"],
        ),
        (&["--log", "tavola=loud"], &["--log", "loud", "info"]),
        (&["--log", "a=b=c"], &["--log", "a=b=c"]),
        (&["--sessions-max", "many"], &["--sessions-max", "many"]),
        (&["--sessions-max", "0"], &["--sessions-max", "0", "1..="]),
        (
            &["--sessions-max", "1", "--sessions-max", "2"],
            &["--sessions-max"],
        ),
        (&["--sessions-max=-1"], &["--sessions-max", "-1"]),
        (
            &["--sessions-max", "4294967296"],
            &["--sessions-max", "4294967296"],
        ),
        (&["--sessions-max", "1.5"], &["--sessions-max", "1.5"]),
    ] {
        let sentence = refusal(command(flags));
        for name in named {
            assert!(sentence.contains(name), "{flags:?}: {sentence}");
        }
    }
}

#[test]
fn every_number_has_its_range() {
    for (flag, too_small, too_large) in [
        ("--io-threads", None, Some(257)),
        ("--bot-threads", Some(0), Some(257)),
        ("--request-bytes-max", Some(1023), None),
        ("--response-bytes-max", Some(65_535), None),
        ("--header-bytes-max", Some(1023), None),
        ("--calls-max", Some(0), None),
        ("--call-timeout-ms", Some(0), None),
        ("--streams-per-connection-max", Some(0), None),
        ("--connections-max", Some(0), None),
        ("--connections-per-peer-max", Some(0), None),
        ("--handshake-timeout-s", Some(0), None),
        ("--keepalive-interval-s", Some(0), None),
        ("--keepalive-timeout-s", Some(0), None),
        ("--stream-window-bytes", Some(1023), Some(0x8000_0000)),
        ("--connection-window-bytes", Some(65_534), Some(0x8000_0000)),
        ("--sessions-max", Some(0), None),
        ("--watchers-per-session-max", Some(0), None),
        ("--watcher-lag-max", Some(0), Some(4097)),
        ("--session-idle-s", Some(0), None),
        ("--session-retain-s", Some(0), None),
        ("--session-evict-s", Some(0), None),
        ("--connection-age-max-s", None, None),
        ("--connection-age-grace-s", None, None),
        ("--shutdown-timeout-s", None, None),
    ] {
        let beyond: u64 = 1 << 32;
        for value in [too_small, too_large, Some(beyond)].into_iter().flatten() {
            let sentence = refusal(command(&[flag, &value.to_string()]));
            assert!(
                sentence.contains(flag) && sentence.contains(&value.to_string()),
                "{sentence}"
            );
        }
    }
}

#[test]
fn an_origin_that_can_be_none_is_refused() {
    for (origins, wrong) in [
        ("table.example", "table.example"),
        ("https://table.example,localhost", "localhost"),
        ("https://", "https://"),
        ("https://table.example/", "https://table.example/"),
        ("https://table.example/page", "https://table.example/page"),
        ("https://table.example?a", "https://table.example?a"),
        ("https://me@table.example", "https://me@table.example"),
        ("https://a b", "https://a b"),
        ("*.example", "*.example"),
        ("https://table.example:port", "https://table.example:port"),
    ] {
        let flags = ["--listen", "127.0.0.1:0", "--web-origins", origins];
        let sentence = refusal(command(&flags));
        assert!(
            sentence.contains("--web-origins") && sentence.contains(&format!("'{wrong}'")),
            "{origins}: {sentence}"
        );
    }
}

#[test]
fn an_address_that_is_taken_is_one_sentence() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(&[]);
    for taken in [other.local_addr().unwrap(), server.address()] {
        let sentence = refusal(command(&["--listen", &taken.to_string()]));
        assert!(
            sentence.contains(&taken.to_string()) && sentence.contains("in use"),
            "{sentence}"
        );
    }
    // 192.0.2.0/24 is for documentation: no machine has it.
    let sentence = refusal(command(&["--listen", "192.0.2.1:0"]));
    assert!(sentence.contains("192.0.2.1:0"), "{sentence}");
}

#[test]
fn a_data_folder_that_cannot_be_used_is_one_sentence_that_names_it() {
    let folder = DataFolder::new();
    let _server = folder.serve(&[]);
    let no_folder = file("no-folder", "");
    for (command, path, why) in [
        (folder.command(&[]), folder.path(), "in use"),
        (data(&no_folder), &no_folder, "cannot be used"),
        (
            data(Path::new("")),
            Path::new("--data"),
            "value is required",
        ),
    ] {
        let sentence = refusal(command);
        assert!(
            sentence.contains(path.to_str().unwrap()) && sentence.contains(why),
            "{sentence}"
        );
    }
}

fn data(folder: &Path) -> Command {
    let mut command = command(&["--store", "sqlite", "--data"]);
    command.arg(folder);
    command
}

#[tokio::test]
async fn sessions_are_kept_in_a_folder_beside_the_server_unless_told_otherwise() {
    let beside = DataFolder::new();
    let mut command = command(&["--listen", "127.0.0.1:0", "--retain", "77"]);
    command
        .env_remove("TAVOLA_STORE")
        .current_dir(beside.path());
    let server = Server::run(command);
    assert_eq!(limits(&server).await.session_retain_s, 77);
    assert!(beside.path().join("tavola-data/tavola.sqlite3").is_file());
}

#[test]
fn a_file_that_cannot_be_read_is_one_sentence_that_names_it() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (path, why) in [
        (PathBuf::from("/no/such/file.toml"), "No such file"),
        (folder, "directory"),
        (file("bytes.toml", [0xff, 0xfe, 0x00]), "UTF-8"),
        (file("syntax.toml", "sessions-max 7\n"), ""),
        (
            file("twice.toml", "sessions-max = 1\nsessions-max = 2\n"),
            "duplicate",
        ),
        (
            file("unknown.toml", "sessions-most = 7\n"),
            "`sessions-most`",
        ),
        (
            file("table.toml", "[limits]\nsessions-max = 7\n"),
            "`limits`",
        ),
        (file("nested.toml", "config = \"other.toml\"\n"), "`config`"),
        (file("range.toml", "sessions-max = 0\n"), "--sessions-max"),
        (
            file("text.toml", "sessions-max = \"many\"\n"),
            "--sessions-max",
        ),
        (file("list.toml", "sessions-max = [1]\n"), "`sessions-max`"),
        (
            file("fraction.toml", "sessions-max = 1.5\n"),
            "`sessions-max`",
        ),
        (
            file("truth.toml", "sessions-max = true\n"),
            "`sessions-max`",
        ),
        (file("listen.toml", "listen = \"here\"\n"), "--listen"),
    ] {
        let path = path.to_str().unwrap();
        let sentence = refusal(command(&["--config", path]));
        assert!(
            sentence.contains(path) && sentence.contains(why),
            "{why}: {sentence}"
        );
        // The same when a variable names it.
        let mut by_variable = command(&[]);
        by_variable.env("TAVOLA_CONFIG", path);
        assert_eq!(refusal(by_variable), sentence);
    }
}

#[test]
fn a_wrong_variable_is_one_sentence() {
    for (name, value, named) in [
        ("TAVOLA_SESSIONS_MAX", "0", "sessions-max"),
        ("TAVOLA_SESSIONS_MAX", "many", "sessions-max"),
        ("TAVOLA_LISTEN", "here", "listen"),
        ("TAVOLA_LOG", "tavola=loud", "log"),
        ("TAVOLA_LOG_FORMAT", "yaml", "log-format"),
        ("TAVOLA_WEB_ORIGINS", "table.example", "web-origins"),
        ("TAVOLA_STORE", "paper", "store"),
    ] {
        let mut command = command(&[]);
        command.env(name, value);
        let sentence = refusal(command);
        assert!(
            sentence.contains(named) && sentence.contains(value),
            "{name}: {sentence}"
        );
    }
}

// === what is right

#[test]
fn help_and_version_are_told_on_stdout() {
    for flags in [&["--help"][..], &["-h"], &["help"], &["serve", "--help"]] {
        let output = run(command(flags));
        assert_eq!(output.status.code(), Some(0), "{flags:?}");
        assert_eq!(output.stderr, b"", "{flags:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        for flag in [
            "--listen",
            "--config",
            "--store",
            "--data",
            "--retain",
            "--web-origins",
            "--log",
            "--shutdown-timeout-s",
            "--sessions-max",
            "--watcher-lag-max",
            "--keepalive-interval-s",
        ] {
            assert!(text.contains(flag), "{flags:?} tells nothing of {flag}");
        }
    }
    let version = run(command(&["--version"]));
    assert_eq!(version.status.code(), Some(0));
    let expected = format!("tavola {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8(version.stdout).unwrap(), expected);
}

#[tokio::test]
async fn serving_may_be_said() {
    let mut command = command(&["serve"]);
    command.args(["--listen", "127.0.0.1:0", "--sessions-max", "77"]);
    let server = Server::run(command);
    assert_eq!(limits(&server).await.sessions_max, 77);
}

#[tokio::test]
async fn a_flag_wins_over_a_variable_and_a_variable_over_the_file() {
    let text = "listen = \"127.0.0.1:0\"\nsessions-max = 11\nsession-idle-s = 12\n\
                call-timeout-ms = \"1300\"\n";
    let path = file("precedence.toml", text);
    let mut command = command(&["--sessions-max", "31"]);
    command
        .env("TAVOLA_CONFIG", &path)
        .env("TAVOLA_SESSIONS_MAX", "21")
        .env("TAVOLA_SESSION_IDLE_S", "22");
    let server = Server::run(command);
    let limits = limits(&server).await;
    assert_eq!(
        (
            limits.sessions_max,
            limits.session_idle_s,
            limits.call_timeout_ms
        ),
        (31, 22, 1300)
    );
    assert_eq!(
        limits.session_retain_s, 86_400,
        "nobody said anything of it"
    );
}

#[tokio::test]
async fn every_limit_can_be_given_as_a_variable() {
    let mut command = command(&[]);
    for (name, value) in [
        ("TAVOLA_LISTEN", "127.0.0.1:0"),
        ("TAVOLA_REQUEST_BYTES_MAX", "2001"),
        ("TAVOLA_RESPONSE_BYTES_MAX", "70002"),
        ("TAVOLA_STREAMS_PER_CONNECTION_MAX", "3"),
        ("TAVOLA_CONNECTIONS_PER_PEER_MAX", "4"),
        ("TAVOLA_SESSIONS_MAX", "5"),
        ("TAVOLA_WATCHERS_PER_SESSION_MAX", "6"),
        ("TAVOLA_SESSION_IDLE_S", "7"),
        ("TAVOLA_SESSION_RETAIN_S", "8"),
        ("TAVOLA_CALL_TIMEOUT_MS", "9000"),
        ("TAVOLA_SANDBOXES_PER_SEAT_MAX", "10"),
        ("TAVOLA_SANDBOXES_MAX", "11"),
        ("TAVOLA_SANDBOX_IDLE_S", "12"),
    ] {
        command.env(name, value);
    }
    let server = Server::run(command);
    let expected = Limits {
        request_bytes_max: 2001,
        response_bytes_max: 70_002,
        streams_per_connection_max: 3,
        connections_per_peer_max: 4,
        sessions_max: 5,
        watchers_per_session_max: 6,
        session_idle_s: 7,
        session_retain_s: 8,
        call_timeout_ms: 9000,
        sandboxes_per_seat_max: 10,
        sandboxes_max: 11,
        sandbox_idle_s: 12,
    };
    assert_eq!(limits(&server).await, expected);
}

#[tokio::test]
async fn the_log_is_as_loud_as_it_is_told_to_be() {
    let quiet = Server::start(&["--log", "off"]);
    let text = Server::start(&[]);
    let json = Server::start(&["--log-format", "json"]);
    for server in [&quiet, &text, &json] {
        let mut client = server.sessions().await;
        client.create_session(santorini()).await.unwrap();
    }
    let line = |server: &Server| {
        let log = server.log();
        log.lines()
            .find(|line| line.contains("session created"))
            .map(str::to_owned)
    };
    let text = eventually("a line of the log", async || line(&text)).await;
    assert!(
        text.contains(" INFO ") && text.contains("game=\"santorini\""),
        "{text}"
    );
    let json = eventually("a line of the log", async || line(&json)).await;
    assert!(json.starts_with('{') && json.ends_with('}'), "{json}");
    assert!(
        json.contains("\"level\":\"INFO\"") && json.contains("\"game\":\"santorini\""),
        "{json}"
    );
    assert_eq!(quiet.log(), "");
}
