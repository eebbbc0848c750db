import { actionOf, remedyLabels } from '../../../main/contract/ui/health-words.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { Button } from '../../ui/button.tsx';
import { useRemedies } from './use-remedies.ts';

/** What the user can do about the registry’s state: log in, set the secret, or approve it. */
export function RegistryRemedy({ registry }: { registry: RegistryView }) {
  const act = useRemedies();
  const remedy = actionOf(registry, 'idle');
  return (
    remedy && (
      <Button size="small" calls={remedy !== 'setSecret'} onClick={() => act[remedy](registry.account)}>
        {remedyLabels[remedy]}
      </Button>
    )
  );
}
