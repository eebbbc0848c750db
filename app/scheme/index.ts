import type { ElectronModule } from '../electron.ts';
import { dialogPrivileges } from './dialog-scheme.ts';

/** The app's own pages: `app://lanyard/`. */
export const pagesScheme = 'app';
export const pagesOrigin = `${pagesScheme}://lanyard`;

/** Before the app is ready: a scheme with its own origin. */
export function prepareScheme({ protocol }: Pick<ElectronModule, 'protocol'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pagesScheme, privileges: { standard: true, secure: true, codeCache: true } },
    dialogPrivileges,
  ]);
}
