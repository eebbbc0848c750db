import { FileInput } from 'lucide-react';
import { counted } from '../../../../main/contract/ui/count-text.ts';
import { importingName } from '../../../navigation/route.ts';
import { useGo } from '../../../navigation/use-route.ts';
import { useCall } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Strip } from '../../../ui/strip.tsx';

/** Offers to move docker’s logins into the vault. Nothing where there are none, or where it can’t be done. */
export function DockerOffer() {
  const { value } = useCall('docker.plan', {});
  const go = useGo();
  const docker = value?.docker ?? null;
  if (docker === null || docker.fault !== null || docker.moves.length === 0) {
    return null;
  }
  return (
    <Strip
      label="docker’s logins"
      icon={<FileInput />}
      actions={
        <Button size="small" onClick={() => go('registries', importingName)}>
          Review
        </Button>
      }
    >
      docker’s <span className="mono">{docker.file}</span> has{' '}
      <strong>{counted(docker.moves.length, 'login')} in plain text</strong>. They can move into the vault.
    </Strip>
  );
}
