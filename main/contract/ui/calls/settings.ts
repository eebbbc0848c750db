import { z } from 'zod';
import { settingSchemas } from '../../config/config.ts';
import { defineCalls } from '../call.ts';

const finding = z.object({
  group: z.enum(['broker', 'accounts', 'clusters', 'kubeconfigs', 'tools']),
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
      /** As config.yaml says, whether a person has confirmed it or not. */
      settings: z.object(settingSchemas),
      /** Names of settings that count only once they are confirmed, and aren't yet. */
      held: z.array(z.string()),
      paths: z.array(z.object({ what: z.string(), path: z.string() })),
      /** Variables of the broker's own environment that choose a proxy: host and port, never a password. */
      proxies: z.array(z.object({ variable: z.string(), value: z.string() })),
      /** How many CAs count where an account or a cluster names none; null: the runtime's own list. */
      authorities: z.number().nullable(),
      versions: z.array(z.object({ what: z.string(), version: z.string() })),
      /** The broker can open pages in a browser on this machine. */
      canOpenBrowser: z.boolean(),
    }),
    background: true,
  },
  /**
   * Writes one setting into config.yaml: `appearance`, `notifications` and `updates` count at once, the others when a
   * person has confirmed them (rule: confirmed-binding). `asks`: a window asks the person to turn off what a page wants
   * off, and writes it with their Yes.
   */
  'settings.set': {
    input: z.discriminatedUnion('name', [
      z.object({ name: z.literal('lock'), value: settingSchemas.lock }),
      z.object({ name: z.literal('history'), value: settingSchemas.history }),
      z.object({ name: z.literal('metrics'), value: settingSchemas.metrics }),
      z.object({ name: z.literal('appearance'), value: settingSchemas.appearance }),
      z.object({ name: z.literal('notifications'), value: settingSchemas.notifications }),
      z.object({ name: z.literal('updates'), value: settingSchemas.updates }),
    ]),
    output: z.object({ held: z.boolean(), asks: z.boolean() }),
  },
  /** As `lanyard doctor`, with the broker's own environment in place of a terminal's. */
  'doctor.run': {
    input: z.object({}),
    progress: z.object({ ended: z.number(), all: z.number() }),
    output: z.object({ findings: z.array(finding) }),
  },
  /**
   * A text for somebody who helps: versions, findings, settings, what failed lately. Without secrets, and without names
   * and addresses unless they are wanted. Shown before it is saved.
   */
  'bundle.make': {
    input: z.object({ names: z.boolean() }),
    progress: z.object({ ended: z.number(), all: z.number() }),
    output: z.object({ fileName: z.string(), text: z.string() }),
  },
});
