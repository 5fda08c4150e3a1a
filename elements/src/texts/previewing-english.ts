/** The texts in English of the preview of a link that is written. */
export const previewingEnglish = {
  linkPreview: 'Link preview',
  linkPreviewLoading: 'Loading link preview',
  removePreview: 'Remove link preview',
} satisfies Readonly<Record<string, string>>;
