import type { Browser } from '../../../ports/browser.ts';
import { type Command, done, parseWords } from '../command.ts';

export interface UiCommandDeps {
  web: {
    invite(): Promise<{ address: string; port: number; done: Promise<void> }>;
  };
  browser: Pick<Browser, 'available'>;
  redirect: { open(address: string, done: Promise<unknown>): Promise<boolean> };
}

/** `lanyard ui [--no-open]` */
export function uiCommand({ web, browser, redirect }: UiCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('ui', call.args, [], { 'no-open': { type: 'boolean' } });
    const { address, port, done: used } = await web.invite();
    // A user who sits elsewhere has no use for a page on this machine's display.
    const opens = !values['no-open'] && call.caller.origin === 'local' && browser.available();
    if (opens && (await redirect.open(address, used))) {
      return done(undefined, 'Lanyard opens in your browser. If it doesn’t: lanyard ui --no-open');
    }
    return done(
      address,
      `One-time link, valid for 1 minute. From another machine: ssh -L ${port}:127.0.0.1:${port} HOST there, then this again.`,
    );
  };
}
