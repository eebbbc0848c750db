import type { ClusterView } from '../../main/contract/ui/state.ts';
import styles from './color-mark.module.css';

/** A cluster’s colour by the user’s rules. It has a text: not everybody sees the colour. */
export function ColorMark({ mark }: { mark: NonNullable<ClusterView['mark']> }) {
  return (
    <span className={styles.mark} style={markStyle(mark)}>
      {mark.text}
    </span>
  );
}

/** The mark’s colour as `--mark`, for what is coloured beside it. */
export function markStyle(mark: ClusterView['mark']): React.CSSProperties {
  return (mark ? { '--mark': `var(--mark-${mark.color})` } : {}) as React.CSSProperties;
}
