import type { Socket } from 'node:net';
import { BrokerError } from '../../contract/broker-error.ts';

/** Node has no public way to a socket's descriptor; the addon needs it to ask the system for the peer. Throws where there is none any more. */
export function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = handle && typeof handle === 'object' ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number' || descriptor < 0) {
    throw new BrokerError('socket.descriptor', 'the connection has no descriptor any more');
  }
  return descriptor;
}
