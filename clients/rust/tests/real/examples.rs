//! The bots as they are run, and the way of the README.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::json;
use tavola_client::Client;

use crate::server::{Folder, Server};

/// A program of `examples/`. The build of the tests builds it too.
fn example(name: &str) -> Command {
    let here = env::current_exe().unwrap();
    let path: PathBuf = here.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(path.exists(), "run `cargo build --examples`");
    Command::new(path)
}

fn printed(output: Output) -> String {
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    text
}

#[test]
fn each_bot_plays_each_game() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    for bot in ["random_bot", "thinking_bot"] {
        for game in [
            "citadels",
            "council_of_shadows",
            "santorini",
            "shadow_hunters",
            "under_falling_skies",
        ] {
            let output = example(bot)
                .args([&server.address, game, "greedy"])
                .output();
            let text = printed(output.unwrap());
            assert!(
                text.starts_with(&format!("{game} as seat 0: winners [")),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn the_player_of_the_kit_joins_and_plays_to_the_end() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let client = Client::connect(&server.address).await.unwrap();
    let host = client.create("santorini").await.unwrap();
    let start = || {
        let mut command = tokio::process::Command::from(example("conformance_player"));
        command.args([&*server.address, host.session_id()]).output()
    };
    let (first, second) = tokio::join!(start(), start());
    let texts = [printed(first.unwrap()), printed(second.unwrap())];
    let outcome = host.session().await.unwrap().outcome.unwrap();
    for seat in 0..2 {
        let told = json!({
            "seat": seat,
            "winners": outcome.winners,
            "returns": outcome.returns,
        });
        let told = format!("{told}\n");
        assert!(texts.contains(&told), "{texts:?}, and not {told}");
    }

    let full = start().await.unwrap();
    assert!(!full.status.success());
    assert!(
        String::from_utf8_lossy(&full.stderr).contains("SESSION_FULL"),
        "{full:?}"
    );
}

/// The first block of a language in the README.
fn section(language: &str) -> &'static str {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

fn run(folder: &Path, command: &str) -> String {
    let debug = env::var("CARGO_PROFILE_DEV_DEBUG");
    let debug = debug.unwrap_or_else(|_| "line-tables-only".to_owned());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        // What this needs, the build of the tests has fetched, and built a good part of it in the same way.
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", debug)
        .output();
    printed(output.unwrap())
}

/// Goes from an empty folder to a finished game by what the README says, and runs the bot that it shows.
#[test]
fn the_way_of_the_readme() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = Folder::new();
    let versions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    fs::copy(versions, folder.path().join("Cargo.lock")).unwrap();
    let commands = section("sh").replace("../tavola/clients/rust", env!("CARGO_MANIFEST_DIR"));
    for line in commands.lines() {
        let command = line.split('#').next().unwrap().trim();
        if command == "cargo run" {
            let text = run(folder.path(), &format!("cargo run -- {}", server.address));
            assert!(text.starts_with("santorini as seat 0: winners ["), "{text}");
        } else {
            run(folder.path(), command);
        }
    }
    let bot = section("rust,no_run").replace("localhost:50051", &server.address);
    fs::write(folder.path().join("src/main.rs"), bot).unwrap();
    let text = run(folder.path(), "cargo run");
    assert!(["won\n", "not won\n"].contains(&&*text), "{text}");
}
