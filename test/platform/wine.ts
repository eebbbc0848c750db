import { Socket } from 'node:net';

/** Wine 8 knows no times of keep-alive, and connects no socket that has one. */
if (process.platform === 'win32' && process.env['WINEPREFIX'] !== undefined) {
  Socket.prototype.setKeepAlive = function (this: Socket) {
    return this;
  };
}
