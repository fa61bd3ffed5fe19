import{a,b}from"./chunk-FH2NTT4Y.js";import"./chunk-TQGKN6G7.js";import"./chunk-U33JF7CU.js";import"./chunk-LFBOFCLR.js";import"./chunk-VMDJWEOD.js";export{b as ChallengeForm,a as Challenges};
