import { useMemo } from 'react';
import { callCounts, callsText } from '../../../main/contract/ui/call-words.ts';
import { countText } from '../../../main/contract/ui/count-text.ts';
import { Bars, Lines } from '../../ui/chart/index.ts';
import { Section } from '../../ui/page.tsx';
import {
  answerSeries,
  answersSummary,
  answerText,
  callSeries,
  type OverTime as Numbers,
  runSeries,
  runsSummary,
  sinceFirst,
  tooFewText,
} from './figures.ts';
import styles from './metrics.module.css';
import { RotationAges } from './rotation-ages.tsx';

/** Charts of the numbers of a span, from the first call on. What a chart would draw nothing of is left out. */
export function OverTime({ numbers, words }: { numbers: Numbers; words: string }) {
  const shown = useMemo(() => sinceFirst(numbers), [numbers]);
  const calls = useMemo(() => callSeries(shown.calls), [shown]);
  const answers = useMemo(() => answerSeries(shown.answers), [shown]);
  const runs = useMemo(() => runSeries(shown.runs), [shown]);
  return (
    <Section title={`Over time: ${words}`}>
      <div className={styles.charts}>
        <Bars
          title="Calls"
          unit="calls"
          steps={shown.calls}
          series={calls}
          format={countText}
          summary={callsText(callCounts(shown.calls))}
          empty="No requests in this time."
        />
        <Lines
          title="Time to answer"
          logarithmic
          steps={shown.answers}
          series={answers}
          format={answerText}
          summary={answersSummary(shown)}
          empty={tooFewText(shown)}
        />
        {runs.length > 0 && (
          <Bars
            title="Plugin runs"
            unit="runs"
            steps={shown.runs}
            series={runs}
            format={countText}
            summary={runsSummary(shown.runs)}
            empty="No plugin ran in this time."
          />
        )}
        {numbers.rotationAges.some(({ rotations }) => rotations > 0) && (
          <RotationAges buckets={numbers.rotationAges} />
        )}
      </div>
    </Section>
  );
}
