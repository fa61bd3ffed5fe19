import{a,b}from"./chunk-KPJ2R7ZA.js";import"./chunk-TQGKN6G7.js";import"./chunk-LFBOFCLR.js";import"./chunk-U33JF7CU.js";import"./chunk-VMDJWEOD.js";export{b as ChallengeForm,a as Challenges};
