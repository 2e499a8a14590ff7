import type { CitationStyle } from '#contracts/bibliography-names.js';
import { exportFormats, type ExportFormat } from '#contracts/file-kinds.js';
import { Checkbox, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { CitationStyleSelect } from './citation-style-select';
import { ActionButton } from './action-button';

interface ExportFormProps {
  /** Form of the notes at first. */
  initialStyle?: CitationStyle | null;
  isBusy?: boolean;
  /** Starts the export. @throws ApiProblem */
  onExport: (formats: ExportFormat[], style: CitationStyle | null) => Promise<unknown>;
  /** Warnings above the button. */
  children?: ReactNode;
}

/** Asks for the formats of exported files and the form of their notes. */
export function ExportForm({ initialStyle = null, isBusy = false, onExport, children }: ExportFormProps) {
  const { t } = useTranslation();
  const [formats, setFormats] = useState<string[]>(['docx', 'pdf']);
  const [style, setStyle] = useState(initialStyle);
  return (
    <>
      <Checkbox.Group label={t('export.formats')} value={formats} onChange={setFormats}>
        <Group mt={4}>
          {exportFormats.map((format) => (
            <Checkbox key={format} value={format} label={t(`format.${format}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <CitationStyleSelect value={style} onChange={setStyle} />
      {children}
      <Group justify="flex-end">
        <ActionButton
          label={t('export.make')}
          loading={isBusy}
          disabled={formats.length === 0}
          act={() => onExport(formats as ExportFormat[], style)}
        />
      </Group>
    </>
  );
}
