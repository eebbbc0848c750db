import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from './carrier.ts';
import { createElectronCarrier, type ElectronCarrierWindow } from './electron-carrier.ts';

const snapshot = { kind: 'snapshot', version: 1, now: 0, entries: [] };

let sent: unknown[];
let begun: number;
let hear: (message: unknown) => void;
let connections: Connection['kind'][];
let messages: unknown[];
let timers: (() => void)[];
let carrier: ReturnType<typeof createElectronCarrier>;
let isVisible: boolean;
let onVisibility: () => void;
let minute: () => void;

beforeEach(() => {
  [sent, begun, connections, messages, timers, isVisible] = [[], 0, [], [], [], true];
  const window = {
    document: {
      get visibilityState() {
        return isVisible ? 'visible' : 'hidden';
      },
      addEventListener: (_name: string, listener: () => void) => {
        onVisibility = listener;
      },
    },
    addEventListener: () => undefined,
    setInterval: (run: () => void) => {
      minute = run;
      return 1;
    },
    setTimeout: (run: () => void) => timers.push(run),
  } as unknown as ElectronCarrierWindow;
  carrier = createElectronCarrier(window, {
    send: (text) => void sent.push(JSON.parse(text)),
    listen(listener) {
      begun += 1;
      hear = (message) => listener(typeof message === 'string' ? message : JSON.stringify(message));
    },
  });
  carrier.start({
    onMessage: (message) => void messages.push(message),
    onConnection: ({ kind }) => void connections.push(kind),
  });
});

describe('the desktop window’s carrier', () => {
  it('is open with the first state', () => {
    expect(connections).toEqual(['connecting']);
    hear(snapshot);
    expect(connections).toEqual(['connecting', 'open']);
    expect(messages).toEqual([snapshot]);
  });

  it('takes nothing before the state: it was meant for the document before', () => {
    hear({ kind: 'reply', id: 1, output: null });
    hear({ kind: 'delta', from: 1, version: 2, entries: [] });
    expect([messages, connections]).toEqual([[], ['connecting']]);
  });

  it('sends only while it is open', () => {
    carrier.send({ kind: 'resync' });
    hear(snapshot);
    carrier.send({ kind: 'resync' });
    expect(sent).toEqual([{ kind: 'resync' }]);
  });

  it('starts a new session after what is no JSON', () => {
    hear(snapshot);
    hear('{');
    hear(snapshot);
    expect([connections.at(-1), messages.length]).toEqual(['gone', 1]);
    timers[0]?.();
    hear(snapshot);
    expect([begun, connections.at(-1), messages.length]).toEqual([2, 'open', 2]);
  });

  it('reports when it is visible, and nothing while it isn’t', () => {
    hear(snapshot);
    minute();
    isVisible = false;
    minute();
    onVisibility();
    expect(sent).toEqual([{ kind: 'present', input: false }]);
    isVisible = true;
    onVisibility();
    expect(sent).toHaveLength(2);
  });
});
