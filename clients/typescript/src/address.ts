import type { Interceptor } from "@connectrpc/connect";

/** The base URL of an address, which is `HOST:PORT` or a URL. */
export function resolve(address: string, secure: boolean): string {
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  return new URL(secure ? url.replace(/^http:/, "https:") : url).origin;
}

/** Sends the operator's key with each call, if there is one. */
export function keyed(apiKey: string | undefined): Interceptor[] {
  if (apiKey === undefined) return [];
  return [
    (next) => (request) => {
      request.header.set("x-api-key", apiKey);
      return next(request);
    },
  ];
}
