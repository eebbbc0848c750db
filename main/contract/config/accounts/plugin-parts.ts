import { z } from 'zod';

/** What each plugin has: the program, and how it is found. */
export const pluginParts = {
  command: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\0\r\n]*$/, 'expected one line')
    .describe(
      'The plugin: a name, found in searchPath; or a path, which counts from config.yaml’s folder where it isn’t absolute.',
    ),
  args: z
    .array(z.string().max(64 * 1024))
    .max(256)
    .default([])
    .describe('Its arguments. No secrets: others can see them.'),
  env: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'expected a variable’s name'),
        value: z
          .string()
          .max(64 * 1024)
          .regex(/^[^\0]*$/, 'can’t hold a NUL')
          .optional()
          .describe('Without it the value is in the vault: lanyard secret set ACCOUNT/env.NAME.'),
      }),
    )
    .max(128)
    .default([])
    .describe('Variables that the plugin gets beside its base; they win over the caller’s.'),
  searchPath: z
    .string()
    .max(32 * 1024)
    .optional()
    .describe('The plugin’s PATH, and where a bare command is found; absolute folders, as in PATH.'),
  pin: z
    .boolean()
    .default(false)
    .describe('Pause the account when the plugin’s file changes, until you approve it.'),
};
