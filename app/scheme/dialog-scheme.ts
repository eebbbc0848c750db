import type { CustomScheme } from 'electron';

/** Dialogs' pages: `lanyard-dialog://dialog/…`, in their own partition alone. */
export const dialogScheme = 'lanyard-dialog';
export const dialogOrigin = `${dialogScheme}://dialog`;

/** Standard: it has an origin, so that a policy's 'self' means something, and a form's address can be relative. */
export const dialogPrivileges: CustomScheme = {
  scheme: dialogScheme,
  privileges: { standard: true, secure: true },
};
