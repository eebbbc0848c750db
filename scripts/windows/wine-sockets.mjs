import { Socket } from 'node:net';

/**
 * For Node.js in wine 8, which doesn’t know the socket option that says when a silent connection is looked after
 * (TCP_KEEPIDLE): a connection that asks for it fails there (libuv, src/win/tcp.c). So none asks. Windows has it since
 * 10 1709.
 */
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
