import type { ElectronApplication } from 'playwright';
import { channels } from '../../../app/ipc/channels.ts';
import type { Traffic } from './traffic.ts';

/** What the windows' pages and the broker say, heard in Electron's main process. */
export interface Heard {
  /** From now on. */
  traffic(): Traffic;
}

type Said = [side: keyof Traffic, text: string];

export async function hearCarrier(app: ElectronApplication): Promise<Heard> {
  let traffic: Traffic = { sent: [], heard: [] };
  await app.evaluate(({ ipcMain, BrowserWindow }, { toBroker, toPage }) => {
    let said: Said[] = [];
    let tell: ((said: Said[]) => void) | null = null;
    const pass = () => {
      if (tell !== null && said.length > 0) {
        tell(said);
        [said, tell] = [[], null];
      }
    };
    const hear = (side: keyof Traffic, text: string) => {
      said.push([side, text]);
      pass();
    };
    ipcMain.on(toBroker, (_event, text) => hear('sent', String(text)));
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...args) => {
        if (channel === toPage) {
          hear('heard', String(args[0]));
        }
        send(channel, ...args);
      };
    }
    Object.assign(globalThis, {
      nextSaid: () =>
        new Promise<Said[]>((resolve) => {
          tell = resolve;
          pass();
        }),
    });
  }, channels);
  const next = () =>
    app.evaluate(() => (globalThis as unknown as { nextSaid(): Promise<Said[]> }).nextSaid());
  // Until the app ends.
  void (async () => {
    for (;;) {
      for (const [side, text] of await next()) {
        traffic[side].push(text);
      }
    }
  })().catch(() => undefined);
  return {
    traffic() {
      traffic = { sent: [], heard: [] };
      return traffic;
    },
  };
}
