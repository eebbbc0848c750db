import type { CustomScheme } from 'electron';

/** The pages of dialogs: `lanyard-dialog://dialog/…`, only in their own partition. */
export const dialogScheme = 'lanyard-dialog';
export const dialogOrigin = `${dialogScheme}://dialog`;

/** Standard: the scheme has an origin, so that 'self' in a policy works, and a form can have a relative address. */
export const dialogPrivileges: CustomScheme = {
  scheme: dialogScheme,
  privileges: { standard: true, secure: true },
};
