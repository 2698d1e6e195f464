package tavola;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.time.Duration;

/** Ends each call that is no stream after a time, if it has no deadline yet. */
final class Deadline implements ClientInterceptor {
    private final Duration timeout;

    Deadline(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        boolean isStream = method.getType() != MethodDescriptor.MethodType.UNARY;
        boolean leave = isStream || options.getDeadline() != null;
        return next.newCall(method, leave ? options : options.withDeadlineAfter(timeout));
    }
}
