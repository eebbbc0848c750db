import { z } from 'zod';
import { configName } from '../names.ts';
import { serverUrl } from '../url-rules.ts';
import { pluginParts } from './plugin-parts.ts';

/** Accounts whose credential is AWS keys, and those made of them (docs/adr/0031). */

/** As AWS has them in the scope of a signature (Signature Version 4). */
export const awsRegion = z
  .string()
  .max(64)
  .regex(/^[a-z]{2,}(-[a-z0-9]+)+$/, 'expected a region such as eu-west-1');

export const awsService = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'expected a service’s name in signatures, such as execute-api');

const roleArn = z
  .string()
  .max(2048)
  .regex(
    /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/,
    'expected a role’s ARN, such as arn:aws:iam::123456789012:role/NAME',
  );

const sessionName = z
  .string()
  .regex(/^[\w+=,.@-]{2,64}$/, 'expected 2 to 64 letters, digits and + = , . @ _ -')
  .optional()
  .describe('The session’s name in CloudTrail. Without it: lanyard.');

/** STS by another address than the region’s own, such as a VPC endpoint. */
const stsEndpoint = serverUrl
  .optional()
  .describe('Reach STS at this address, such as a VPC endpoint. Without it: the region’s own.');

/** AWS keys: from the vault, from a profile of the AWS tools, or for a token in a file. Exactly one source. */
export const awsAccount = z
  .strictObject({
    accessKeyId: z
      .string()
      .regex(/^[A-Z0-9]{16,128}$/, 'expected an access key’s id, such as AKIA…')
      .optional()
      .describe(
        'The id of a static access key, whose secret is in the vault: lanyard secret set ACCOUNT/secretAccessKey.',
      ),
    profile: z
      .string()
      .min(1)
      .max(256)
      .regex(/^[^\]\0\r\n]+$/, 'expected a profile’s name')
      .optional()
      .describe('The static keys of this profile of the AWS tools. Read again when the file changes.'),
    credentialsFile: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('With profile: the file that has it. Without it: ~/.aws/credentials.'),
    webIdentity: z
      .strictObject({
        tokenFile: z
          .string()
          .min(1)
          .max(4096)
          .describe('A file with a token of an identity provider, read again for each exchange.'),
        role: roleArn.describe('The role that STS gives keys of, for the token.'),
        region: awsRegion.describe('Whose STS is asked.'),
        sessionName,
        stsEndpoint,
      })
      .optional()
      .describe('Keys of a role, which STS gives for a token in a file (AssumeRoleWithWebIdentity).'),
  })
  .superRefine((account, context) => {
    const sources = (['accessKeyId', 'profile', 'webIdentity'] as const).filter(
      (key) => account[key] !== undefined,
    );
    const [first, second] = sources;
    if (first === undefined) {
      context.addIssue({ code: 'custom', message: 'expected one of accessKeyId, profile, webIdentity' });
    } else if (second !== undefined) {
      context.addIssue({
        code: 'custom',
        path: [second],
        message: `the keys come from one place; here they come from ${first} already`,
      });
    }
    if (account.credentialsFile !== undefined && account.profile === undefined) {
      context.addIssue({ code: 'custom', path: ['credentialsFile'], message: 'goes with profile' });
    }
  });

/** A token for an EKS cluster, made of an account’s AWS keys: a presigned request to STS. */
export const awsEksAccount = z.strictObject({
  account: configName.describe('The account with the AWS keys: of kind aws or awsProcess.'),
  cluster: z
    .string()
    .regex(/^[0-9A-Za-z][\w-]{0,99}$/, 'expected a cluster’s name at EKS')
    .describe('The cluster’s name at EKS.'),
  region: awsRegion.describe('The region whose STS the token is for: mostly the cluster’s own.'),
  role: roleArn.optional().describe('Take this role first (AssumeRole), with the account’s keys.'),
  sessionName,
  stsEndpoint,
});

/** AWS keys by a program that prints them as `credential_process` does, such as `aws configure export-credentials`. */
export const awsProcessAccount = z.strictObject({
  ...pluginParts,
  timeoutSeconds: z.int().min(1).max(600).optional().describe('How long one run may take: 60.'),
});

export type AwsConfig = z.infer<typeof awsAccount>;
export type AwsProcessConfig = z.infer<typeof awsProcessAccount>;
export type AwsEksConfig = z.infer<typeof awsEksAccount>;
