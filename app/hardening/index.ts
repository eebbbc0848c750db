import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import { guardContents } from './guard-contents.ts';
import { refusePermissions } from './refuse-permissions.ts';

/** Applies to every page and session of the app. Call it before the app is ready. */
export function hardenApp({ app, log }: { app: ElectronModule['app']; log: Log }): void {
  app.enableSandbox();
  app.on('session-created', (session) => refusePermissions(session));
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log));
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault();
    choose();
  });
  // Electron asks for no passwords of servers and proxies while `login` has no listener.
}
