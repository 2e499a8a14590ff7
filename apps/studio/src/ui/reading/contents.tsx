import { Menu } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { SmallButton } from '../actions';
import { structureOf } from './rendered-text';

/** Inside its landmark, and not cut off by a pane that scrolls. */
const LOOK = { position: 'bottom-start', withinPortal: false, floatingStrategy: 'fixed' } as const;

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
    <Menu {...LOOK} returnFocus withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <SmallButton label={t('reading.contents')} />
      </Menu.Target>
      <Menu.Dropdown className="contents">
        {headings.map(({ id, level, text, line }) => (
          <Menu.Item key={id} pl={`${level * 0.75}em`} onClick={() => onChoose(line)} children={text} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
