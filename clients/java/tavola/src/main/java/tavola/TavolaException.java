package tavola;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tavola.v1.ErrorReason;

/** A call that the server refused, or that did not reach it. Its cause is the failure as gRPC has it, with all details. */
public final class TavolaException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String DOMAIN = "tavola";
    private static final String PREFIX = "ERROR_REASON_";

    private final transient Status.Code code;
    private final transient ErrorInfo info;
    private final transient List<Violation> violations;
    private final transient Duration retryDelay;

    private TavolaException(Status status, ErrorInfo info, com.google.rpc.Status details, Throwable failure) {
        super(describe(status, info), failure);
        code = status.getCode();
        this.info = info;
        violations = find(details, BadRequest.getDefaultInstance()).getFieldViolationsList().stream()
                .map(violation -> new Violation(violation.getField(), violation.getDescription()))
                .toList();
        var delay = find(details, RetryInfo.getDefaultInstance()).getRetryDelay();
        retryDelay = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    }

    /**
     * Returns what a stub has thrown, or what its future has failed with, as an exception of this package.
     *
     * @param failure the failure
     * @return the exception
     */
    public static TavolaException of(Throwable failure) {
        com.google.rpc.Status details = details(failure);
        ErrorInfo info = find(details, ErrorInfo.getDefaultInstance());
        boolean ours = info.getDomain().equals(DOMAIN);
        return new TavolaException(status(failure), ours ? info : ErrorInfo.getDefaultInstance(), details, failure);
    }

    /**
     * The status code.
     *
     * @return the code
     */
    public Status.Code code() {
        return code;
    }

    /**
     * Why the call was refused.
     *
     * @return the reason. {@link ErrorReason#ERROR_REASON_UNSPECIFIED} if the error comes from elsewhere than the table,
     *     and {@link ErrorReason#UNRECOGNIZED} if the server is newer and has a reason that this package does not know:
     *     see {@link #reasonName}
     */
    public ErrorReason reason() {
        if (info.getReason().isEmpty()) {
            return ErrorReason.ERROR_REASON_UNSPECIFIED;
        }
        var known = ErrorReason.getDescriptor().findValueByName(PREFIX + info.getReason());
        return known == null ? ErrorReason.UNRECOGNIZED : ErrorReason.valueOf(known);
    }

    /**
     * The name of the reason as it was sent, without its prefix, such as {@code STALE_DECISION}.
     *
     * @return the name; empty if the error comes from elsewhere than the table
     */
    public String reasonName() {
        return info.getReason();
    }

    /**
     * The facts that belong to the reason, such as the {@code decision_id} that is open now.
     *
     * @return the facts by name
     */
    public Map<String, String> metadata() {
        return info.getMetadataMap();
    }

    /**
     * The fields of the request that are wrong.
     *
     * @return the fields
     */
    public List<Violation> violations() {
        return violations;
    }

    /**
     * The time after which the server asks to try again.
     *
     * @return the time; zero if it does not ask
     */
    public Duration retryDelay() {
        return retryDelay;
    }

    /**
     * Tells whether the same call may succeed a little later. That does not say that it had no effect: repeat only what
     * is safe to repeat.
     *
     * @return whether it may
     */
    public boolean isTransient() {
        return code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED || !retryDelay.isZero();
    }

    /** Tells whether an answer came too late: the table has gone on, and the stream will tell how. */
    boolean isOvertaken() {
        return reason() == ErrorReason.ERROR_REASON_GAME_OVER
                || code == Status.Code.ABORTED && !reasonName().isEmpty();
    }

    /** The status of a failure. A connection that is closed while it is written to is unknown to gRPC. */
    private static Status status(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        boolean cut = status.getCode() == Status.Code.UNKNOWN && status.getCause() instanceof IOException;
        return cut ? Status.UNAVAILABLE.withDescription(status.getDescription()) : status;
    }

    private static com.google.rpc.Status details(Throwable failure) {
        com.google.rpc.Status none = com.google.rpc.Status.getDefaultInstance();
        try {
            com.google.rpc.Status sent = StatusProto.fromThrowable(failure);
            return sent == null ? none : sent;
        } catch (IllegalArgumentException malformed) { // Or of another code than the status has.
            return none; // The code and the message say enough.
        }
    }

    private static String describe(Status status, ErrorInfo info) {
        String name = status.getCode() + (info.getReason().isEmpty() ? "" : " " + info.getReason());
        return status.getDescription() == null ? name : name + ": " + status.getDescription();
    }

    /** The detail of the kind of a message, or that message if there is none. */
    private static <M extends Message> M find(com.google.rpc.Status details, M none) {
        for (Any detail : details.getDetailsList()) {
            if (detail.is(none.getClass())) {
                try {
                    @SuppressWarnings("unchecked") // It is what we asked for.
                    M found = (M) detail.unpack(none.getClass());
                    return found;
                } catch (InvalidProtocolBufferException malformed) {
                    return none; // The code and the message say enough.
                }
            }
        }
        return none;
    }
}
