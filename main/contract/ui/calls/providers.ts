import { z } from 'zod';
import { defineCalls } from '../call.ts';

const path = z.string().min(1).max(4096);
const id = z.string().max(64);

const plannedProvider = z.object({
  provider: z.string(),
  matchImages: z.array(z.string()),
  /** Null: it is not imported, see `left`. */
  becomes: z
    .object({
      account: z.string(),
      accountExists: z.boolean(),
      registry: z.string(),
      registryExists: z.boolean(),
    })
    .nullable(),
  left: z.string().nullable(),
  /** What would run: the command line, the file with owner and digest, its variables without secrets. Empty: nothing new. */
  program: z.array(z.string()),
  notes: z.array(z.string()),
});
export type PlannedProviderView = z.infer<typeof plannedProvider>;

/** Credential providers of a kubelet, imported as accounts and registries. */
export const providerCalls = defineCalls({
  /** What this user can read in the usual places. Nothing is imported from there unasked. */
  'providers.found': {
    input: z.object({}),
    output: z.object({
      configs: z.array(
        z.object({
          path: z.string(),
          /** Null: none of the usual plugin folders is there. */
          binFolder: z.string().nullable(),
          /** How many; null: it can’t be used, see `fault`. */
          providers: z.number().nullable(),
          fault: z.string().nullable(),
        }),
      ),
    }),
    background: true,
  },
  /**
   * Makes a plan, which is kept for a while for `providers.import`. `path`: a CredentialProviderConfig or a folder of them;
   * both absolute.
   */
  'providers.plan': {
    input: z.object({ path, binFolder: path }),
    output: z.object({
      id,
      providers: z.array(plannedProvider),
      notes: z.array(z.string()),
      /** What of config.yaml would change, as `diff -u` shows it. */
      lines: z.array(z.string()),
      moreLines: z.number(),
      /** There is something to import. */
      hasWork: z.boolean(),
    }),
  },
  /** Carries out a plan, once. What is new is pending approval (rule: approval-outside-page). `undo`: for `providers.undo`. */
  'providers.import': {
    input: z.object({ id }),
    output: z.object({ registries: z.array(z.string()), held: z.boolean(), undo: id }),
  },
  /** Removes what that import made, as far as it is still so. */
  'providers.undo': {
    input: z.object({ undo: id }),
    output: z.object({
      registries: z.array(z.string()),
      accounts: z.array(z.string()),
      /** Accounts that stay, and why. */
      left: z.array(z.object({ account: z.string(), why: z.string() })),
    }),
  },
});
