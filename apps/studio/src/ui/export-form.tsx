import type { CitationStyle } from '#contracts/bibliography-names.js';
import { exportFormats, type ExportFormat } from '#contracts/file-kinds.js';
import { Button, Checkbox, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { CitationStyleSelect } from './citation-style-select';
import { ProblemAlert } from './problem-alert';

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
  const exporting = useMutation({ mutationFn: () => onExport(formats as ExportFormat[], style) });
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
      {exporting.error && <ProblemAlert error={exporting.error} />}
      <Group justify="flex-end">
        <Button
          loading={exporting.isPending || isBusy}
          disabled={formats.length === 0}
          onClick={() => exporting.mutate()}
        >
          {t('export.make')}
        </Button>
      </Group>
    </>
  );
}
