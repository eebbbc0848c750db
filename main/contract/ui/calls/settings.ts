import { z } from 'zod';
import { settingSchemas } from '../../config/settings.ts';
import { defineCalls } from '../call.ts';

const finding = z.object({
  group: z.enum([
    'broker',
    'accounts',
    'clusters',
    'proxy',
    'registries',
    'inventories',
    'kubeconfigs',
    'tools',
  ]),
  check: z.string(),
  subject: z.string().nullable(),
  level: z.enum(['problem', 'warning', 'note', 'ok']),
  message: z.string(),
  hint: z.string().nullable(),
});
export type FindingView = z.infer<typeof finding>;

export const settingsCalls = defineCalls({
  'settings.read': {
    input: z.object({}),
    output: z.object({
      /** As in config.yaml, approved or not. */
      settings: z.object(settingSchemas),
      /** Names of the settings that are pending approval. */
      held: z.array(z.string()),
      paths: z.array(z.object({ what: z.string(), path: z.string() })),
      /** Proxy variables of the broker’s environment: host and port, never a password. */
      proxies: z.array(z.object({ variable: z.string(), value: z.string() })),
      /** How many CAs are used where an account or cluster names none; null: the runtime’s own list. */
      authorities: z.number().nullable(),
      versions: z.array(z.object({ what: z.string(), version: z.string() })),
      /** Whether the broker can open a page in a browser on this machine. */
      canOpenBrowser: z.boolean(),
    }),
    background: true,
  },
  /**
   * Writes one setting to config.yaml. `appearance`, `notifications` and `updates` apply immediately, the others once
   * the user has approved them (rule: confirmed-binding). Of `appearance` a page sets the theme alone: the colours are
   * set in config.yaml by hand, as they mark clusters in questions, too. `asks`: a page turns something off that only the user may
   * turn off. A dialog asks, and writes it after their Yes.
   */
  'settings.set': {
    input: z.discriminatedUnion('name', [
      z.object({ name: z.literal('lock'), value: settingSchemas.lock }),
      z.object({ name: z.literal('history'), value: settingSchemas.history }),
      z.object({ name: z.literal('metrics'), value: settingSchemas.metrics }),
      z.object({ name: z.literal('appearance'), value: settingSchemas.appearance.pick({ theme: true }) }),
      z.object({ name: z.literal('notifications'), value: settingSchemas.notifications }),
      z.object({ name: z.literal('updates'), value: settingSchemas.updates }),
    ]),
    output: z.object({ held: z.boolean(), asks: z.boolean() }),
  },
  /**
   * The page shows this warning about config.yaml no longer, or again: `appearance.dismissedWarnings`. One with another
   * text is shown. Needs no vault: it is never approved.
   */
  'settings.dismissWarning': {
    input: z.object({ message: z.string(), dismissed: z.boolean() }),
    output: z.object({}),
  },
  /**
   * Like `lanyard doctor`, with the broker’s environment in place of a terminal’s. `ended` of `all` checks are done.
   */
  'doctor.run': {
    input: z.object({}),
    progress: z.object({ ended: z.number(), all: z.number() }),
    output: z.object({ findings: z.array(finding) }),
  },
  /**
   * A text for support: versions, findings, settings, recent failures. Without secrets; without names and addresses
   * unless `names` is set. The page shows it before it is saved.
   */
  'bundle.make': {
    input: z.object({ names: z.boolean() }),
    progress: z.object({ ended: z.number(), all: z.number() }),
    output: z.object({ fileName: z.string(), text: z.string() }),
  },
});
