package tavola;

/**
 * A field of a request that is wrong.
 *
 * @param field its path, such as {@code options.santorini.max_turns}
 * @param description what is wrong with it, and what is allowed
 */
public record Violation(String field, String description) {}
