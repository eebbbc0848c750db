import type { CallOutput } from '../../../../main/contract/ui/calls/index.ts';
import { counted } from '../../../../main/contract/ui/count-text.ts';
import { Button } from '../../../ui/button.tsx';
import styles from '../registries.module.css';

interface FoundConfigsProps {
  configs: CallOutput<'providers.found'>['configs'];
  /** `binFolder` null: none of the usual ones is there. */
  onChoose(path: string, binFolder: string | null): void;
}

/** Configurations in the usual places. */
export function FoundConfigs({ configs, onChoose }: FoundConfigsProps) {
  return configs.length === 0 ? null : (
    <ul className={styles.found} aria-label="Found on this machine">
      {configs.map(({ path, binFolder, providers, fault }) => (
        <li key={path}>
          <div>
            <span className="mono">{path}</span>
            <p className={styles.faint}>
              {providers !== null
                ? `${counted(providers, 'provider')}${binFolder === null ? '' : `, plugins in ${binFolder}`}`
                : `It can’t be used: ${fault}`}
            </p>
          </div>
          {fault === null && (
            <Button size="small" aria-label={`Choose ${path}`} onClick={() => onChoose(path, binFolder)}>
              Choose
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
