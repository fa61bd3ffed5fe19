import{a,b}from"./chunk-BZBK52EQ.js";import"./chunk-DUINEUPP.js";import"./chunk-QK45O6PF.js";import"./chunk-K6XBF4ME.js";import"./chunk-4MVAHHNW.js";export{b as ChallengeForm,a as Challenges};
