import { Grid } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/api-query';
import { FindingList, type RuleOnFinding } from './finding-list';
import { LazyMarkdownEditor } from './lazy-part';
import type { Span } from './change-selection';

interface ReviewedTextProps {
  label: string;
  /** Initial text; a new `key` recreates the editor. */
  content: string;
  findings: readonly Schemas['Finding'][];
  readOnly: boolean;
  onChange: (content: string) => void;
  onSelect?: (span: Span) => void;
  /** Absent if the user may not mark findings as wrong now. */
  onRule?: RuleOnFinding | undefined;
}

/** Markdown editor next to its findings; choosing a finding jumps to its location (B26). */
export function ReviewedText(props: ReviewedTextProps) {
  const { label, content, findings, readOnly, onChange, onSelect, onRule } = props;
  const [focus, setFocus] = useState<Schemas['Finding'] | null>(null);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: findings.length > 0 ? 8 : 12 }}>
        <LazyMarkdownEditor
          {...{ label, content, focus, readOnly, onChange, onSelect }}
          marks={findings.filter(({ overruled }) => !overruled)}
        />
      </Grid.Col>
      {findings.length > 0 && (
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <FindingList findings={findings} onChoose={setFocus} onRule={onRule} />
        </Grid.Col>
      )}
    </Grid>
  );
}
