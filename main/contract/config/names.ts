import { z } from 'zod';
import { invisible } from '../invisible.ts';

const nameRule = 'expected a letter or digit, then letters, digits and . _ @ : / -';

/** Names of accounts, clusters and their like: they are used in commands, contexts and file names. */
export const configName = z
  .string()
  .min(1, nameRule)
  .max(128, 'expected at most 128 characters')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/, nameRule);

/** A name that the user chooses at an import: where it is taken, there is room for a number after it. */
export const importedName = configName.max(120, 'expected at most 120 characters');

/** A namespace of Kubernetes: a label of RFC 1123. */
export const namespaceName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and -');

/** A Secret’s name in Kubernetes: a subdomain of RFC 1123. It becomes a part of a request’s path. */
export const secretName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    'expected lower-case letters, digits, - and .',
  );

/** A key of a Secret’s data, as Kubernetes takes it. */
export const secretDataKey = z
  .string()
  .max(253)
  .regex(/^(?!\.$|\.\.)[A-Za-z0-9._-]+$/, 'expected letters, digits and . _ -');

/** What the user calls something, in any script: one line, without characters that hide or turn around others. */
export const displayName = z
  .string()
  .min(1, 'expected a name')
  .max(128, 'expected at most 128 characters')
  // Persian and the scripts of India need the two joiners, beside something that is seen.
  .regex(
    new RegExp(
      String.raw`^(?=\S)(?=.*[\p{L}\p{N}\p{P}\p{S}])(?:[^${invisible}]|[\u200c\u200d])+(?<=\S)$`,
      'u',
    ),
    'expected one line without invisible characters, and no space at its ends',
  );

const labelPart = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?';

/** Labels as Kubernetes has them: a key with or without a prefix (`corp.example/team`), a value that may be empty. */
export const labels = z.record(
  z
    .string()
    .regex(
      new RegExp(`^(?=[^/]*$|.{1,253}/)(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/)?${labelPart}$`),
      'expected a label’s key as in Kubernetes, such as team or corp.example/team',
    ),
  z
    .string()
    .regex(
      new RegExp(`^(?:${labelPart})?$`),
      'expected a label’s value as in Kubernetes: at most 63 letters, digits and - _ .',
    ),
);
