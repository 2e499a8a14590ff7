import { useMemo } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { structureOf } from './rendered-text';
import './reading.css';

interface ContentsProps {
  markdown: string;
  /** Called with the line of the chosen heading (1-based). */
  onChoose: (line: number) => void;
}

/** Lists the headings of a text, to go to one of them. */
export default function Contents({ markdown, onChoose }: ContentsProps) {
  const { t } = useTranslation();
  const headings = useMemo(() => structureOf(markdown)?.headings ?? [], [markdown]);
  if (headings.length < 2) return null;
  return (
    <details className="contents">
      <summary>{t('reading.contents')}</summary>
      <ul>
        {headings.map(({ id, level, text, line }) => (
          <li key={id} style={{ paddingInlineStart: `${level - 1}em` }}>
            <button type="button" onClick={() => onChoose(line)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
