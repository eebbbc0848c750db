import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { start } from '../../support/processes.ts';
import { type SessionBus, startSessionBus } from '../../support/session-bus.ts';
import { until } from '../../support/stage.ts';

/** A notification that was shown. */
export interface Note {
  id: number;
  title: string;
  body: string;
  open: boolean;
  /** Names and labels, in turn. */
  actions: string[];
}

export interface TrayItem {
  /** Width, height and bytes of each picture. */
  IconPixmap: [number, number, number][];
  /** Title and text. */
  ToolTip: [string, string];
}

/** A Linux desktop around the app: a window manager, and on a bus of its own a tray, notifications and logind. */
export interface Desk {
  /** For the app. */
  readonly env: Readonly<Record<string, string>>;
  tray(): TrayItem;
  /** The lines of the tray's menu. */
  menu(): string[];
  /** A click on the menu's line that begins so. */
  click(label: string): void;
  /** A left click on the tray's icon. */
  activate(): void;
  notes(): Note[];
  invoke(note: Note): void;
  sleep(begins: boolean): void;
  /** The windows that the window manager lists: id and title. */
  windows(): { id: string; title: string }[];
  /** Runs a program of the person's on the display; gives what it prints. */
  x(program: string, ...args: string[]): string;
  dispose(): Promise<void>;
}

const program = join(import.meta.dirname, 'desk.py');
const python = '/usr/bin/python3';

export async function openDesk(): Promise<Desk> {
  await using stack = new AsyncDisposableStack();
  const bus: SessionBus = stack.adopt(await startSessionBus(), (each) => each.dispose());
  // The system's bus is this one, too: logind is the desk's.
  const env = { ...bus.env, DBUS_SYSTEM_BUS_ADDRESS: bus.env.DBUS_SESSION_BUS_ADDRESS };
  const display = { DISPLAY: process.env['DISPLAY'] ?? '', HOME: bus.folder };
  const served = stack.adopt(start(python, [program, 'serve'], { env }), (each) => each.dispose());
  stack.adopt(start('openbox', ['--replace'], { env: display }), (each) => each.dispose());
  await served.waitForLine(/ready/);
  const ask = (...words: string[]): string => {
    const done = spawnSync(python, [program, ...words], { env, encoding: 'utf8' });
    if (done.status !== 0) {
      throw new Error(`${words.join(' ')}: ${done.stderr.trim().split('\n').at(-1)}`);
    }
    return done.stdout.trim();
  };
  /** Null: the app has no tray yet. */
  const tried = (...words: string[]): string | null => {
    try {
      return ask(...words);
    } catch {
      return null;
    }
  };
  const x = (name: string, ...args: string[]) =>
    spawnSync(name, args, { env: { ...process.env, ...display }, encoding: 'utf8' }).stdout.trim();
  await until(() => (x('wmctrl', '-m') === '' ? null : true), 'the window manager');
  const kept = stack.move();
  return {
    env,
    tray: () => JSON.parse(tried('tray') ?? '{"IconPixmap":[],"ToolTip":["",""]}'),
    menu: () => tried('menu')?.split('\n') ?? [],
    click: (label) => void ask('click', label),
    activate: () => void ask('activate'),
    notes: () => JSON.parse(ask('notes')),
    invoke: ({ id, actions }) => void ask('invoke', String(id), actions[0] ?? 'default'),
    sleep: (begins) => void ask('sleep', String(begins)),
    windows: () =>
      x('wmctrl', '-l')
        .split('\n')
        .flatMap((line) => {
          const [, id = '', title = ''] = /^(\S+)\s+\S+\s+\S+\s+(.*)$/.exec(line) ?? [];
          return id === '' ? [] : [{ id, title }];
        }),
    x,
    dispose: () => kept.disposeAsync(),
  };
}
