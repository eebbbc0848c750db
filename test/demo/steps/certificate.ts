import { issueClientCertificate } from '../../support/certificates.ts';
import { describeAudit } from '../audit.ts';
import { names, type Stage } from '../stage.ts';
import { addByPerson, clusterWords, kubeconfigWrite } from './prepare.ts';
import { expectGood, expectPods, type Outcome, type Step } from './step.ts';
import { serverSaw } from './tokens.ts';

const { certificateAccount: account, certificateCluster: cluster } = names;

/** The same server, as somebody else: with a client certificate out of the vault. */
export const certificateSteps: readonly Step[] = [
  { what: `lanyard account add ${account}, cluster add ${cluster}`, run: addAccountAndCluster },
  { what: `lanyard secret set ${account} < PEM`, run: setSecret },
  { what: `kubectl --context ${cluster} get pods`, run: getPods },
];

async function addAccountAndCluster(stage: Stage): Promise<Outcome> {
  const added = await addByPerson(stage, ['account', 'add', account, '--client-certificate']);
  const second = await addByPerson(stage, clusterWords(stage, cluster, account));
  const written = await kubeconfigWrite(stage);
  return {
    did: 'wrote config.yaml and a second context for the same server',
    milliseconds: (added.milliseconds ?? 0) + (second.milliseconds ?? 0) + written,
  };
}

async function setSecret(stage: Stage): Promise<Outcome> {
  const issued = await issueClientCertificate(stage.clientCa, {
    commonName: 'ops',
    organizations: ['admins'],
  });
  const ended = await stage.lanyard(['secret', 'set', account], { input: issued.chainPem + issued.keyPem });
  expectGood(ended, 'lanyard secret set');
  return {
    did: 'took certificate and key from stdin, keeps them in the vault',
    milliseconds: ended.milliseconds,
  };
}

async function getPods(stage: Stage): Promise<Outcome> {
  const mark = await stage.auditMark();
  const ended = await stage.getPods(['--context', cluster]);
  expectPods(ended);
  const audit = describeAudit(await stage.auditSince(mark));
  const user = serverSaw(stage, 'certificate');
  return { did: `${audit}; the server saw ${user}, by certificate`, milliseconds: ended.milliseconds };
}
