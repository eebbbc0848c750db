import { issueClientCertificate } from '../../support/certificates.ts';
import { makePlugin } from '../../support/plugin.ts';
import { describeAudit } from '../audit.ts';
import { names, type Stage } from '../stage.ts';
import { addByPerson, clusterWords, kubeconfigWrite } from './prepare.ts';
import { expect, expectPods, median, type Outcome, type Step } from './step.ts';
import { serverSaw } from './tokens.ts';

const { pluginAccount: account, pluginCluster: cluster } = names;
const calls = 10;

/** A wrapped exec plugin that takes 600 ms, as cloud CLIs do. */
export const pluginSteps: readonly Step[] = [
  {
    what: `lanyard account add ${account} --exec-plugin slow-plugin, cluster add ${cluster}`,
    run: addAccountAndCluster,
  },
  { what: `kubectl --context ${cluster} get pods, ${calls} times`, run: getPods },
];

async function addAccountAndCluster(stage: Stage): Promise<Outcome> {
  const plugin = makePlugin({ parent: stage.home.outside, name: 'slow-plugin' });
  const issued = await issueClientCertificate(stage.clientCa, {
    commonName: 'robot',
    organizations: ['admins'],
  });
  plugin.does('slow');
  plugin.answers({ token: null, clientCertificateData: issued.chainPem, clientKeyData: issued.keyPem });
  stage.plugin = plugin;
  const words = ['account', 'add', account, '--exec-plugin', plugin.command, '--interactive-mode', 'Never'];
  const added = await addByPerson(stage, words, { question: /\[y\/N\] $/, answer: 'y' });
  const second = await addByPerson(stage, clusterWords(stage, cluster, account));
  const written = await kubeconfigWrite(stage);
  return {
    did: 'showed the program with its owner and SHA-256, and bound it',
    milliseconds: (added.milliseconds ?? 0) + (second.milliseconds ?? 0) + written,
  };
}

async function getPods(stage: Stage): Promise<Outcome> {
  const mark = await stage.auditMark();
  const took: number[] = [];
  for (let call = 0; call < calls; call++) {
    const ended = await stage.getPods(['--context', cluster]);
    expectPods(ended);
    took.push(ended.milliseconds);
  }
  const audit = describeAudit(await stage.auditSince(mark));
  const runs = stage.plugin?.runs().length ?? 0;
  expect(runs === 1, 'one run of the plugin', `there were ${runs}`);
  const user = serverSaw(stage, 'certificate');
  return {
    did: `ran the plugin once; ${audit}; the server saw ${user} (ms: the median)`,
    milliseconds: median(took),
  };
}
