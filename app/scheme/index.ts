import type { ElectronModule } from '../electron.ts';
import { dialogPrivileges } from './dialog-scheme.ts';

/** The app's own pages: `app://lanyard/`. */
export const pagesScheme = 'app';
export const pagesOrigin = `${pagesScheme}://lanyard`;

/** Registers the schemes with their own origins. Call it before the app is ready. */
export function prepareScheme({ protocol }: Pick<ElectronModule, 'protocol'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pagesScheme, privileges: { standard: true, secure: true, codeCache: true } },
    dialogPrivileges,
  ]);
}
