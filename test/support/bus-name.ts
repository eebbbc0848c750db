import { connect } from 'node:net';

/** Takes a name on a session's bus and keeps it until it is let go: what a panel does with the tray's. */
export async function ownBusName(address: string, name: string): Promise<{ dispose(): void }> {
  const [, path] = /unix:(?:path=([^,;]+))/.exec(address) ?? [];
  if (path === undefined) {
    throw new Error(`no socket in ${address}`);
  }
  const socket = connect(path);
  const bus = 'org.freedesktop.DBus';
  const next = () =>
    new Promise<Buffer>((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('error', reject);
    });
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  let answer = next();
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  await answer;
  answer = next();
  socket.write('BEGIN\r\n');
  socket.write(call(1, bus, 'Hello', null));
  await answer;
  const taken = new Promise<void>((resolve) => {
    let heard = '';
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1');
      if (heard.includes('NameAcquired') && heard.includes(name)) {
        resolve();
      }
    });
  });
  socket.write(call(2, bus, 'RequestName', name));
  await taken;
  return { dispose: () => void socket.destroy() };
}

/** A method call of the bus itself, with one name and no flags, or without arguments (D-Bus specification, "Messages"). */
function call(serial: number, bus: string, member: string, name: string | null): Buffer {
  const body = name === null ? Buffer.alloc(0) : padded(Buffer.concat([text(name)]), 4, uint32(0));
  const fields = [
    field(1, 'o', text('/org/freedesktop/DBus')),
    field(6, 's', text(bus)),
    field(2, 's', text(bus)),
    field(3, 's', text(member)),
    ...(name === null ? [] : [field(8, 'g', Buffer.from('\x02su\0', 'latin1'))]),
  ];
  const array = fields.reduce((all, each) => padded(all, 8, each), Buffer.alloc(0));
  const head = Buffer.concat([
    Buffer.from([0x6c, 1, 0, 1]),
    uint32(body.length),
    uint32(serial),
    uint32(array.length),
    array,
  ]);
  return padded(head, 8, body);
}

function field(code: number, signature: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, 1]), Buffer.from(`${signature}\0`), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(`${value}\0`)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** `next` begins at a multiple of `step`. */
function padded(before: Buffer, step: number, next: Buffer): Buffer {
  return Buffer.concat([before, Buffer.alloc((step - (before.length % step)) % step), next]);
}
