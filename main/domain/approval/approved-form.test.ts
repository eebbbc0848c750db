import { expect, it } from 'vitest';
import { account as accountSchema } from '../../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { entryOfForm, formText } from './approved-form.ts';
import { accountShape, clusterShape } from './cluster-shape.ts';

const certificateAuthorityData = 'Q0E=';

it('is the whole entry, also what has the name of a CA within it', () => {
  const cluster = {
    name: 'prod',
    config: clusterSchema.parse({
      server: 'https://prod',
      account: 'corp',
      execConfig: { certificateAuthorityData },
    }),
    certificateAuthorityPem: null,
  };
  expect(entryOfForm('cluster', 'prod', formText(cluster), clusterShape(cluster))).toEqual(cluster);
  const oidc = { issuer: 'https://id', clientId: 'k8s', extraParams: { certificateAuthorityData } };
  const account = { name: 'corp', config: accountSchema.parse({ oidc }), certificateAuthorityPem: null };
  expect(entryOfForm('account', 'corp', formText(account), accountShape(account))).toEqual(account);
});

it('has a CA that was given as data once, as its certificates', () => {
  const oidc = { issuer: 'https://id', clientId: 'k8s' };
  const texts = [oidc, { ...oidc, certificateAuthorityData }].map((each) =>
    formText({ name: 'corp', config: accountSchema.parse({ oidc: each }), certificateAuthorityPem: 'PEM' }),
  );
  expect(texts[1]).toBe(texts[0]);
});

it('two parameters never look like one: a name may hold a =', () => {
  const [one, other] = [{ 'a=b': 'c' }, { a: 'b=c' }].map((extraParams) => {
    const oidc = { issuer: 'https://id', clientId: 'k8s', extraParams };
    return accountShape({
      name: 'corp',
      config: accountSchema.parse({ oidc }),
      certificateAuthorityPem: null,
    });
  });
  expect(one).not.toBe(other);
});
