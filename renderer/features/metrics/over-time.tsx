import { useMemo } from 'react';
import { callsText, countText } from '../../../main/contract/ui/call-words.ts';
import { Bars, Lines } from '../../ui/chart/index.ts';
import { Section } from '../../ui/page.tsx';
import {
  answerSeries,
  answersSummary,
  answerText,
  callCounts,
  callSeries,
  type OverTime as Numbers,
  runSeries,
  runsSummary,
} from './figures.ts';
import styles from './metrics.module.css';
import { RotationAges } from './rotation-ages.tsx';

/** Charts of the numbers of a span. */
export function OverTime({ numbers, words }: { numbers: Numbers; words: string }) {
  const calls = useMemo(() => callSeries(numbers.calls), [numbers]);
  const answers = useMemo(() => answerSeries(numbers.answers), [numbers]);
  const runs = useMemo(() => runSeries(numbers.runs), [numbers]);
  return (
    <Section title={`Over time: ${words}`}>
      <div className={styles.charts}>
        <Bars
          title="Calls"
          unit="calls"
          steps={numbers.calls}
          series={calls}
          format={countText}
          summary={callsText(callCounts(numbers.calls))}
          empty="No requests in this time."
        />
        <Lines
          title="Time to answer"
          logarithmic
          steps={numbers.answers}
          series={answers}
          format={answerText}
          summary={answersSummary(numbers)}
          empty="No credential was issued in this time."
        />
        <Bars
          title="Plugin runs"
          unit="runs"
          steps={numbers.runs}
          series={runs}
          format={countText}
          summary={runsSummary(numbers.runs)}
          empty="No plugin ran in this time."
        />
        <RotationAges buckets={numbers.rotationAges} />
      </div>
    </Section>
  );
}
