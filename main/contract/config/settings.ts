import { z } from 'zod';
import { durationText } from '../duration.ts';
import { invisible } from '../invisible.ts';
import { markColors } from './mark-colors.ts';
import { configName, displayName } from './names.ts';
import { programWords } from './values.ts';

/** When the broker locks. The durations are texts such as `15m`. */
export const lockSettings = z.strictObject({
  afterIdle: durationText
    .optional()
    .describe(
      'Lock when you have asked nothing for this long, time asleep included. A command at a terminal counts, and the first request of a program that has a terminal; what a program asks for itself after that, or without a terminal, does not. Never without it.',
    ),
  withScreen: z
    .boolean()
    .optional()
    .describe(
      'Lock when your screen is locked. Only where the desktop app runs, which sees the screen; programs in the background get nothing meanwhile. Not without it.',
    ),
  biometrics: z
    .enum(['never', 'unlock', 'always'])
    .optional()
    .describe(
      'When the desktop app has the system ask for a finger or a face (Touch ID, Windows Hello), where it can: as Lanyard is unlocked without a passphrase, or always, which is at each Yes in its own windows, too. Without it: unlock.',
    ),
});

/** How long history.db keeps its events. */
export const historySettings = z.strictObject({
  keep: durationText.default('90d').describe('How long calls, renewals and logins are kept.'),
});

/** The metrics endpoint, for Prometheus. */
export const metricsSettings = z.strictObject({
  listen: z
    .string()
    .regex(/^(127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}$/, 'expected 127.0.0.1:PORT or [::1]:PORT')
    .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, {
      error: 'expected a port up to 65535',
    })
    .optional()
    .describe('Serve /metrics at this loopback address. Not served without it.'),
});

/** How the UI looks. Applies without approval. */
export const appearanceSettings = z.strictObject({
  theme: z
    .enum(['system', 'light', 'dark'])
    .default('system')
    .describe('Colours: as the system has them, or always one.'),
  colors: z
    .array(
      z.strictObject({
        match: z
          .string()
          .min(1)
          .max(320)
          .regex(
            new RegExp(String.raw`^(?=\S)[^${invisible}]+(?<=\S)$`, 'u'),
            'expected a name, a pattern such as prod*, or a label such as env=prod',
          )
          .describe(
            'A name, display name or alias, `*` for any letters in it: `prod*`; or a label: `env=prod`. In approvals the name alone counts.',
          ),
        color: z.enum(markColors).describe('The mark’s colour.'),
        text: displayName
          .max(24, 'expected at most 24 characters')
          .optional()
          .describe('What the mark says. Without it: `match` without its `*`, or the label’s value.'),
      }),
    )
    .max(64)
    .optional()
    .describe('Marks for clusters, in lists, menus and windows: the first that matches counts.'),
  favorites: z.array(configName).max(256).optional().describe('Clusters at the top of the list.'),
  dismissedWarnings: z
    .array(z.string().min(1).max(4000))
    .max(64)
    .optional()
    .describe('Warnings about this file that the window doesn’t show any more, by their text.'),
});

/** Which notifications are shown. Applies without approval. */
export const notificationSettings = z.strictObject({
  questions: z.boolean().default(true).describe('A program waits for an answer.'),
  logins: z.boolean().default(true).describe('An account needs a login.'),
  ending: z.boolean().default(true).describe('A credential that only you can replace expires soon.'),
  problems: z.boolean().default(true).describe('A provider, a plugin or a cluster keeps failing.'),
  changes: z
    .boolean()
    .default(true)
    .describe('A change of config.yaml needs approval, or a kubeconfig has new clusters.'),
});

/** The check for newer versions of the desktop app. Applies without approval: it fetches and installs nothing. */
export const updateSettings = z.strictObject({
  check: z.boolean().default(true).describe('Check for updates daily, where this build has a feed.'),
});

/**
 * The terminal that the window opens. Applies without approval: the broker’s own window shows the program before it is
 * started, and no page can set it.
 */
export const terminalSettings = z.strictObject({
  command: programWords
    .optional()
    .describe(
      'The terminal program that “Open terminal” starts, and its arguments: [kitty]. What it runs is added at the end, on macOS as a file. The system’s terminal without it.',
    ),
});

/** The settings: the top-level keys beside those of `configuredKinds`. */
export const settingSchemas = {
  lock: lockSettings,
  history: historySettings,
  metrics: metricsSettings,
  appearance: appearanceSettings,
  notifications: notificationSettings,
  updates: updateSettings,
  terminal: terminalSettings,
} as const;
export type SettingName = keyof typeof settingSchemas;

export type Settings = { [Name in SettingName]: z.infer<(typeof settingSchemas)[Name]> };
/** The settings that apply only once the user has approved them (rule: confirmed-binding). */
export type BoundSettings = Pick<Settings, 'lock' | 'history' | 'metrics'>;
export type NotificationSettings = Settings['notifications'];

/** The settings of an empty config.yaml. */
export const defaultSettings: Settings = {
  lock: {},
  history: { keep: '90d' },
  metrics: {},
  appearance: { theme: 'system' },
  notifications: { questions: true, logins: true, ending: true, problems: true, changes: true },
  updates: { check: true },
  terminal: {},
};
