declare module 'jsonexport/dist';
