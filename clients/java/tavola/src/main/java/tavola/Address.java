package tavola;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a server is: its target as gRPC names it, and whether it asks for TLS. */
record Address(String target, boolean secure) {
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?<host>\\[[0-9a-fA-F:.]+]|[^\\s/?#@:\\[\\]]+)(:(?<port>[0-9]{1,5}))?");
    private static final Pattern URL =
            Pattern.compile("(?<scheme>https?)://" + HOST_AND_PORT + "/?", Pattern.CASE_INSENSITIVE);

    static Address parse(String address) {
        Matcher url = URL.matcher(address);
        if (url.matches()) {
            boolean secure = url.group("scheme").toLowerCase(Locale.ROOT).equals("https");
            String port = url.group("port") != null ? url.group("port") : secure ? "443" : "80";
            return new Address("dns:///" + url.group("host") + ":" + port, secure);
        }
        Matcher plain = HOST_AND_PORT.matcher(address);
        if (plain.matches() && plain.group("port") != null) {
            return new Address("dns:///" + address, false);
        }
        throw new IllegalArgumentException(
                "address \"" + address + "\": must be HOST:PORT, http://HOST:PORT or https://HOST:PORT");
    }
}
