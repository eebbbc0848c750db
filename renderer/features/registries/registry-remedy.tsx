import { remedyLabels, remedyOf } from '../../../main/contract/ui/health-words.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useLogin } from '../login/use-login.ts';

/** What the user can do about the registry’s state: log in, set the secret, or approve it. */
export function RegistryRemedy({ registry }: { registry: RegistryView }) {
  const { account } = registry;
  const login = useLogin();
  const client = useClient();
  const toast = useToast();
  const go = useGo();
  const remedy = remedyOf(registry, 'idle');
  if (remedy === null || remedy === 'why') {
    return null;
  }
  const act = {
    logIn: () => login.open(account),
    setSecret: () => go('accounts', account),
    confirm() {
      client.call('window.open', { what: 'confirm' }).catch((error) => toast.fail(failureOf(error)));
    },
  };
  return (
    <Button size="small" calls={remedy !== 'setSecret'} onClick={act[remedy]}>
      {remedyLabels[remedy]}
    </Button>
  );
}
