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
    <div className="reviewed" data-split={findings.length > 0 || undefined}>
      <LazyMarkdownEditor
        {...{ label, content, focus, readOnly, onChange, onSelect }}
        marks={findings.filter(({ overruled }) => !overruled)}
      />
      {findings.length > 0 && <FindingList findings={findings} onChoose={setFocus} onRule={onRule} />}
    </div>
  );
}
