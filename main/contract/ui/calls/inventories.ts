import { z } from 'zod';
import { defineCalls } from '../call.ts';

/** An inventory’s name in config.yaml. */
const inventory = z.string().min(1).max(128);
/** A profile’s whole name; namespace and name as Kubernetes has them. */
const profileName = z.object({ inventory, namespace: z.string().max(63), name: z.string().max(253) });
export type ProfileNameView = z.output<typeof profileName>;

/**
 * `inUse`: a context of kubectl’s. `pending`: the same, and pending approval as it is now. `remade`: in use, but the hub
 * has made it again since. `refused`: in use, but another cluster has its name or server.
 */
export const profileState = z.enum(['inUse', 'pending', 'remade', 'refused', 'available', 'unusable']);
export type ProfileState = z.output<typeof profileState>;

/** What its conditions say: `good`: all known ones are True; `bad`: one is False; `unknown`: none, or one is unknown. */
export const profileHealth = z.enum(['good', 'bad', 'unknown']);
export type ProfileHealth = z.output<typeof profileHealth>;

/** By which profiles are filtered and grouped. Empty text: the profile states none. */
export const profileFields = [
  'inventory',
  'namespace',
  'state',
  'health',
  'clusterset',
  'location',
  'version',
  'manager',
  'provider',
  'account',
] as const;
export type ProfileField = (typeof profileFields)[number];

const field = z.enum(profileFields);

/** Which profiles: each word of `search` is somewhere in their names and fields, and each filter has their value. */
const query = z.object({
  search: z.string().max(256),
  filters: z.partialRecord(field, z.array(z.string().max(256)).min(1).max(64)),
});
export type ProfileQuery = z.output<typeof query>;

/** The text of a hub is bounded, and free of control and direction characters. */
const hubText = z.string();

/** A line of the list. */
export const profileRowView = profileName.extend({
  displayName: hubText.nullable(),
  clusterset: hubText.nullable(),
  location: hubText.nullable(),
  version: hubText.nullable(),
  manager: hubText.nullable(),
  state: profileState,
  health: profileHealth,
  provider: hubText.nullable(),
  account: z.string().nullable(),
  server: hubText.nullable(),
  /** Its context, and its cluster’s name; null: it isn’t in use. */
  context: z.string().nullable(),
  /** Why it can’t be used, in words that continue its name; null: it can. */
  problem: hubText.nullable(),
  /** False: its server is not among those that the inventory expects. */
  isExpectedServer: z.boolean(),
  /** How many of its arguments and variables a policy ignored. */
  ignored: z.number(),
});
export type ProfileRowView = z.output<typeof profileRowView>;

/** The profiles of one value of the field they are grouped by. */
const group = z.object({ value: z.string(), count: z.number() });

/** A profile that is selected: enough to tell what can become of it. */
const selectedProfile = profileRowView.pick({
  inventory: true,
  namespace: true,
  name: true,
  state: true,
  context: true,
});
export type SelectedProfile = z.output<typeof selectedProfile>;

export const inventoryCalls = defineCalls({
  /** A part of the list: those of `query`, ordered by group, namespace and name, from `offset`. */
  'inventory.profiles': {
    input: query.extend({
      group: field.nullable(),
      offset: z.int().min(0).max(100_000),
      most: z.int().min(1).max(200),
    }),
    output: z.object({
      /** Of all inventories, and of those the matching ones. */
      total: z.number(),
      matching: z.number(),
      rows: z.array(profileRowView),
      /** In the order of the list, 1,000 at most; those beyond have no heading. Empty: not grouped. */
      groups: z.array(group),
      /** For each field its values among all profiles, the commonest first, 64 at most. */
      values: z.partialRecord(field, z.array(group)),
      /** Accounts of matching profiles, the commonest first, 64 at most. */
      accounts: z.array(group),
    }),
    background: true,
  },
  /** All that match, 1,000 at most, in the list’s order: to select them. */
  'inventory.matching': {
    input: query,
    output: z.object({ profiles: z.array(selectedProfile), matching: z.number() }),
    background: true,
  },
  /** One profile, as `lanyard inventory show` has it. */
  'inventory.profile': {
    input: z.object({ profile: profileName }),
    output: z.object({
      row: profileRowView,
      uid: hubText.nullable(),
      /** The context that it has, or would get. */
      contextName: z.string(),
      memberId: hubText.nullable(),
      /** Profiles that say they are of the same cluster: a hint (KEP-4322). How many, and the first of them. */
      alsoListed: z.object({ count: z.number(), profiles: z.array(profileName) }),
      labels: z.array(z.tuple([hubText, hubText])),
      conditions: z.array(
        z.object({
          type: hubText,
          status: z.enum(['True', 'False', 'Unknown']),
          reason: hubText,
          message: hubText,
        }),
      ),
      /** Why this provider, as a sentence; null: none was chosen. */
      why: hubText.nullable(),
      /** Label and value: server, CA, TLS name, proxy, audience, arguments, variables. */
      facts: z.array(z.tuple([z.string(), hubText])),
      /** What deserves a second look, a sentence each. */
      warnings: z.array(z.string()),
      /** What a policy ignored, and why. */
      ignored: z.array(hubText),
      /** What of the profile could not be read. */
      problems: z.array(hubText),
      /** What is pending approval (rule: confirmed-binding), as `lanyard confirm` shows it; null: nothing. */
      held: z.object({ served: z.boolean(), lines: z.array(z.string()) }).nullable(),
    }),
    background: true,
  },
  /** Objects of the source that are no profiles, and those that are left out; 1,000 at most. */
  'inventory.problems': {
    input: z.object({ inventory }),
    output: z.object({
      problems: z.array(z.object({ namespace: hubText.nullable(), name: hubText.nullable(), text: hubText })),
    }),
    background: true,
  },
  /** Reads the source anew, like `lanyard inventory sync`. */
  'inventory.sync': {
    input: z.object({ inventory }),
    /** `fault`: why it failed, as a sentence; null: it is in step. */
    output: z.object({ fault: z.string().nullable(), profiles: z.number() }),
  },
  /**
   * Makes contexts of profiles, like `lanyard inventory use`. They are pending until the user approves them
   * (rule: approval-outside-page). All or none: an error names the first that can’t be used.
   */
  'inventory.use': {
    input: z.object({ profiles: z.array(profileName).min(1).max(1_000) }),
    output: z.object({
      contexts: z.array(z.string()),
      /** How many of them are pending approval. */
      held: z.number(),
      /** What kubectl’s config could not be given, a sentence each. */
      warnings: z.array(z.string()),
    }),
  },
  /** Removes their contexts, and what was approved of them, like `lanyard inventory drop`. */
  'inventory.drop': {
    input: z.object({ profiles: z.array(profileName).min(1).max(1_000) }),
    output: z.object({ contexts: z.array(z.string()), warnings: z.array(z.string()) }),
  },
});
