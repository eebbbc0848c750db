import { connect } from 'node:net';
import { encodeFrame, FrameReader } from '../../main/platform/socket/frame-codec.ts';
import { until } from './stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
type Frame = any;

/** A stand-in for the helper at a broker's socket: it says what a test makes it say. */
export interface FakeHelper {
  /** All that the broker said. */
  readonly frames: readonly Frame[];
  /** The first frame of this kind, once it is there. */
  frame(kind: string): Promise<Frame>;
  send(...frames: object[]): void;
  write(bytes: Uint8Array): void;
  /** The end of the connection. */
  closed: Promise<void>;
  /** The exit frame: its code, and stdout and stderr as text. */
  ended(): Promise<{ code: number; stdout: string; stderr: string }>;
  destroy(): void;
}

/** Connects, and asks at the kube door for an account's credential; it has no terminal and runs programs. */
export function startFakeHelper(
  socketPath: string,
  ask: { account: string; cluster: string; execInfo: object },
  protocol: { min: number; max: number } = { min: 1, max: 1 },
): FakeHelper {
  const socket = connect(socketPath);
  const reader = new FrameReader();
  const frames: Frame[] = [];
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    for (const read of reader.push(chunk)) {
      if (read.ok) {
        frames.push(JSON.parse(read.json.toString('utf8')));
      }
    }
  });
  const send = (...all: object[]) => void socket.write(Buffer.concat(all.map(encodeFrame)));
  const frame = (kind: string) => until(() => frames.find((each) => each.kind === kind), `a frame ${kind}`);
  send({
    kind: 'hello',
    protocol,
    helper: '0.0.0',
    door: 'kube',
    features: ['stderr', 'progress', 'exit', 'environment', 'run'],
    terminal: { stdin: false, stdout: false, stderr: false, controlling: false },
    request: {
      args: ['--account', ask.account, '--cluster', ask.cluster],
      execInfo: Buffer.from(JSON.stringify(ask.execInfo)).toString('base64'),
    },
  });
  return {
    frames,
    frame,
    send,
    write: (bytes) => void socket.write(bytes),
    closed,
    ended: async () => {
      const { code, stdout = '', stderr = '' } = await frame('exit');
      return { code, stdout: Buffer.from(stdout, 'base64').toString(), stderr };
    },
    destroy: () => void socket.destroy(),
  };
}

/** The end of a run, as a helper tells it. */
export function ranWith(id: number, stdout: string | Uint8Array, code = 0) {
  return {
    kind: 'ran',
    id,
    outcome: { how: 'exited', code, stdout: Buffer.from(stdout).toString('base64') },
  };
}
