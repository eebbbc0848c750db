import { expect, test } from 'vitest';
import { editKubeconfigText } from './edit-kubeconfig-text.ts';

const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: '/home/me/.local/share/lanyard/bin/lanyard',
  args: ['kube-credential', '--cluster', 'prod'],
};

test('only the lines of what changes are others', () => {
  const text = `# mine
users:
- name: a # the first
  user:
    # above
    token: abc # beside
    as: me
- name: b
  user: {token: zzz}`;
  expect(editKubeconfigText(text, [{ kind: 'setUserExec', user: 'a', exec }])).toMatchObject({
    ok: true,
    text: `# mine
users:
- name: a # the first
  user:
    # above
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: /home/me/.local/share/lanyard/bin/lanyard
      args:
      - kube-credential
      - --cluster
      - prod
    as: me
- name: b
  user: {token: zzz}`,
  });
});
