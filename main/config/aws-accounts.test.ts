import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadValue } from './testing/load-value.ts';

const eks = { account: 'work', cluster: 'prod', region: 'eu-west-1' };
const accounts = { work: { aws: { profile: 'work' } }, eks: { awsEks: eks }, corp: { staticToken: {} } };

const load = (more: object, clusters: object = {}, registries: object = {}) =>
  loadValue({ accounts: { ...accounts, ...more }, clusters, registries });
const role = 'arn:aws:iam::123456789012:role/deploy';

describe('accounts with AWS keys', () => {
  test('files and programs count from config.yaml’s folder', async () => {
    const { config, problems } = await load({
      file: { aws: { profile: 'a', credentialsFile: '~/keys' } },
      web: { aws: { webIdentity: { tokenFile: 'token', role, region: 'eu-west-1' } } },
      process: { awsProcess: { command: './keys' } },
    });
    expect(problems).toEqual([]);
    const of = (name: string) => config?.accounts.get(name)?.config;
    expect(of('file')).toEqual({ aws: { profile: 'a', credentialsFile: resolve('/home/u/keys') } });
    expect(of('web')).toMatchObject({ aws: { webIdentity: { tokenFile: resolve('/etc/lanyard/token') } } });
    expect(of('process')).toMatchObject({ awsProcess: { command: resolve('/etc/lanyard/keys') } });
  });

  test.each<[what: string, accounts: object, problem: string]>([
    [
      'an unknown account',
      { eks: { awsEks: { ...eks, account: 'wrok' } } },
      'error accounts.eks.awsEks.account: there is no account wrok (did you mean work?)',
    ],
    [
      'one without keys',
      { eks: { awsEks: { ...eks, account: 'corp' } } },
      'error accounts.eks.awsEks.account: an EKS token is made of AWS keys; corp has none: name an account of kind aws or awsProcess',
    ],
    [
      'itself',
      { eks: { awsEks: { ...eks, account: 'eks' } } },
      'error accounts.eks.awsEks.account: an EKS token is made of AWS keys; eks has none: name an account of kind aws or awsProcess',
    ],
    [
      'STS for no role',
      { eks: { awsEks: { ...eks, stsEndpoint: 'https://sts.example.com' } } },
      'warning accounts.eks.awsEks.stsEndpoint: goes with role: without one, STS is not asked',
    ],
  ])('%s', async (_, more, problem) => {
    expect((await load(more)).problems).toEqual([problem]);
  });

  test('an EKS token goes to clusters, and to no registry', async () => {
    const clusters = { prod: { server: 'https://prod', account: 'eks' } };
    expect((await load({}, clusters)).problems).toEqual([]);
    const registries = { r: { matchImages: ['r.example.com'], account: 'eks' } };
    expect((await load({}, {}, registries)).problems).toEqual([
      'error registries.r.account: eks has tokens for an EKS cluster, and a registry is none',
    ]);
  });
});
