import { SegmentedControl } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { useTab } from '../use-tab';

/** Returns whether the page shows the source of its texts, and a function that changes it; the address names the view. */
export function useSourceView(): [boolean, (isSource: boolean) => void] {
  const [view, setView] = useTab('text', 'view');
  return [view === 'source', (isSource) => setView(isSource ? 'source' : 'text')];
}

interface ViewChoiceProps {
  isSource: boolean;
  onChange: (isSource: boolean) => void;
}

/** Lets a person choose between the rendered texts of a page and their Markdown. */
export function ViewChoice({ isSource, onChange }: ViewChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      w="fit-content"
      aria-label={t('reading.view')}
      value={isSource ? 'source' : 'text'}
      onChange={(view) => onChange(view === 'source')}
      data={[
        { value: 'text', label: t('reading.text') },
        { value: 'source', label: t('reading.source') },
      ]}
    />
  );
}
