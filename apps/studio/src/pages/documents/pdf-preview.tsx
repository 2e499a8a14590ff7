import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { problemOf } from '../../api/client';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';

interface PdfPreviewProps {
  url: string;
  name: string;
}

/** Shows the PDF in the browser's viewer. Offers a download in browsers without a viewer. */
export function PdfPreview({ url, name }: PdfPreviewProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ['file', url],
    queryFn: async () => {
      const response = await fetch(url);
      if (!response.ok) throw await problemOf(response);
      return response.blob();
    },
    enabled: navigator.pdfViewerEnabled,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(new Blob([data], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <Stack align="flex-start">
      <Button component="a" variant="default" href={url} download={name}>
        {t('document.openPdf', { name })}
      </Button>
      {error && <ProblemAlert error={error} />}
      {navigator.pdfViewerEnabled && !address && !error && <PageLoader />}
      {address && <iframe className="pdf-preview" src={address} title={name} />}
    </Stack>
  );
}
