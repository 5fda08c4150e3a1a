import { messages } from '../../i18n.ts';

/** The words of the overview. */
export const t = messages({
  en: {
    title: 'Overview',
    attention: 'What needs you',
    openReports: { one: '{count} open report', other: '{count} open reports' },
    held: { one: '{count} item is held', other: '{count} items are held' },
    nothing: 'Nothing waits for you.',
  },
  de: {
    title: 'Übersicht',
    attention: 'Was auf Sie wartet',
    openReports: { one: '{count} offene Meldung', other: '{count} offene Meldungen' },
    held: { one: '{count} Eintrag wird zurückgehalten', other: '{count} Einträge werden zurückgehalten' },
    nothing: 'Nichts wartet auf Sie.',
  },
  ar: {
    title: 'نظرة عامة',
    attention: 'ما يحتاج إليك',
    openReports: {
      zero: 'لا بلاغات مفتوحة',
      one: 'بلاغ مفتوح واحد',
      two: 'بلاغان مفتوحان',
      few: '{count} بلاغات مفتوحة',
      many: '{count} بلاغًا مفتوحًا',
      other: '{count} بلاغ مفتوح',
    },
    held: {
      zero: 'لا عناصر محجوزة',
      one: 'عنصر محجوز واحد',
      two: 'عنصران محجوزان',
      few: '{count} عناصر محجوزة',
      many: '{count} عنصرًا محجوزًا',
      other: '{count} عنصر محجوز',
    },
    nothing: 'لا شيء في انتظارك.',
  },
});
