import { describe, expect, test } from 'vitest';
import { onWindows, quoted } from '../../../test/support/system.ts';
import { eksNote } from './eks-plugin.ts';
import { kubeExec } from './testing/kube.ts';

const role = 'arn:aws:iam::123456789012:role/deploy';
/** A colon needs quotes in no shell of Windows. */
const roleWord = onWindows ? role : quoted(role);
const of = (keys: string, eks: string) =>
  `Lanyard can make its tokens without a program: lanyard account add KEYS --aws-profile ${keys} and then lanyard account add NAME --aws-eks ${eks}`;

describe('an exec plugin for EKS', () => {
  test.each<[command: string, args: string, env: Record<string, string>, note: string]>([
    [
      'aws',
      // What `aws eks update-kubeconfig` writes.
      '--region eu-west-1 eks get-token --cluster-name prod --output json',
      { AWS_PROFILE: 'work' },
      of('work', 'prod --region eu-west-1 --aws-account KEYS'),
    ],
    [
      '/usr/local/bin/aws',
      `eks get-token --cluster-name=prod --role-arn=${role} --profile p`,
      { AWS_DEFAULT_REGION: 'eu-west-1' },
      of('p', `prod --region eu-west-1 --aws-account KEYS --aws-role ${roleWord}`),
    ],
    [
      'aws-iam-authenticator.exe',
      `token -i prod -r ${role}`,
      {},
      of('default', `prod --region REGION --aws-account KEYS --aws-role ${roleWord}`),
    ],
  ])('%s %s', (command, args, env, note) => {
    expect(eksNote(kubeExec(command, args.split(' '), env))).toBe(note);
  });

  test.each([
    ['aws', 'eks get-token'],
    ['aws', 'sso get-token --cluster-name prod'],
    ['aws', 'eks get-token --cluster-name prod --endpoint-url https://x'],
    ['aws', 'eks get-token --cluster-name'],
    ['aws-iam-authenticator', 'token -i prod --forward-session-name'],
    ['gke-gcloud-auth-plugin', 'eks get-token --cluster-name prod'],
  ])('not: %s %s', (command, args) => {
    expect(eksNote(kubeExec(command, args.split(' ')))).toBeNull();
  });
});
