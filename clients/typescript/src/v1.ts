/**
 * The table: the messages, enums and services of `proto/tavola/v1`. The games are in `tavola/<game>/v1`.
 *
 * A message is a plain object: make one with `create(v1.ActionSchema, { ... })` of `@bufbuild/protobuf`, or give the
 * object itself wherever an init shape is taken.
 *
 * @module
 */
export * from "./gen/tavola/v1/catalog_service_pb.js";
export * from "./gen/tavola/v1/clock_pb.js";
export * from "./gen/tavola/v1/decision_pb.js";
export * from "./gen/tavola/v1/error_reason_pb.js";
export * from "./gen/tavola/v1/games_pb.js";
export * from "./gen/tavola/v1/session_pb.js";
export * from "./gen/tavola/v1/session_service_pb.js";
