import type http from 'node:http';

/**
 * `node:http`. A module that imports it evaluates everything that it exports, which loads an undici of Node's own for the client of
 * WebSocket: 24 ms of a start. To be asked for it does not.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');

/** A request that has arrived. */
export type IncomingMessage = http.IncomingMessage;
/** The response to it. */
export type ServerResponse = http.ServerResponse;
